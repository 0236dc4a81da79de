/* A click on the head of a column sorts its table: numbers from the largest, text from A. */
Array.prototype.forEach.call(document.querySelectorAll("table.rows th"), function (th) {
	"use strict";
	th.addEventListener("click", function () {
		var table = th.closest("table"), column = th.cellIndex, is_number = th.classList.contains("n");
		var is_down = th.getAttribute("aria-sort") === (is_number ? "descending" : "ascending") ? !is_number : is_number;
		var rows = Array.prototype.slice.call(table.querySelectorAll("tbody tr"));

		function text(row) {
			return row.cells[column] ? row.cells[column].textContent.trim() : "";
		}
		function number(row) {
			return parseFloat(text(row)) || 0;
		}
		rows.sort(function (a, b) {
			var order = is_number ? number(a) - number(b) : text(a).localeCompare(text(b));
			return is_down ? -order : order;
		});
		rows.forEach(function (row) {
			table.tBodies[0].appendChild(row);
		});
		Array.prototype.forEach.call(th.parentNode.cells, function (other) {
			other.removeAttribute("aria-sort");
		});
		th.setAttribute("aria-sort", is_down ? "descending" : "ascending");
	});
});
