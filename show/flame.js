/* The script of each picture ROOT: zoom, search, and the sentence about the frame below the pointer. */
window.flamegraphs = Array.prototype.map.call(document.querySelectorAll("svg.flamegraph"), function (root) {
	"use strict";
	var WIDTH = Number(root.getAttribute("width")), CHARACTER = 7.2;
	var info = root.querySelector(".info"), found = root.querySelector(".says");
	var reset = root.querySelector(".reset"), clear = root.querySelector(".clear");
	var frames = [];

	function Frame(g) {
		var rect = g.querySelector("rect");
		this.g = g;
		this.rect = rect;
		this.text = g.querySelector("text");
		this.says = g.querySelector("title").textContent;
		this.name = this.says.split("\n")[0];
		this.x = Number(rect.getAttribute("x"));
		this.w = Number(rect.getAttribute("width"));
		this.y = Number(rect.getAttribute("y"));
		g.addEventListener("click", zoom.bind(null, this));
		g.addEventListener("mouseover", say.bind(null, this.says.replace(/\n/g, "  ")));
		g.addEventListener("mouseout", say.bind(null, "\u00a0"));
	}

	function say(text) {
		info.textContent = text;
	}

	/* Draw F from X on, W wide, with as much of its name as fits. */
	function place(f, x, w) {
		var fits = Math.floor((w - 6) / CHARACTER), characters = Array.from(f.name);
		f.g.style.display = w > 0 ? "" : "none";
		f.rect.setAttribute("x", x.toFixed(4));
		f.rect.setAttribute("width", Math.max(w, 0).toFixed(4));
		if (!f.text) {
			if (fits < 3)
				return;
			f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
			f.text.setAttribute("y", (f.y + 12).toFixed(0));
			f.g.appendChild(f.text);
		}
		f.text.setAttribute("x", (x + 3).toFixed(2));
		f.text.textContent = fits < 3 ? "" : characters.length <= fits ? f.name :
			characters.slice(0, fits - 2).join("") + "..";
	}

	/* Frames of the same stacks as F: those that called it are as wide as the picture. */
	function zoom(f) {
		var slack = 0.001, scale = WIDTH / f.w;
		frames.forEach(function (o) {
			var is_outside = o.x + o.w <= f.x + slack || o.x >= f.x + f.w - slack;
			var is_caller = o.y > f.y && o.x <= f.x + slack && o.x + o.w >= f.x + f.w - slack;
			o.g.classList.toggle("caller", is_caller);
			if (is_caller)
				place(o, 0, WIDTH);
			else
				place(o, (o.x - f.x) * scale, is_outside ? 0 : o.w * scale);
		});
		reset.style.visibility = f === frames[0] ? "hidden" : "visible";
	}

	/* Mark the frames whose names match PATTERN; the share counts what is below a match once. */
	function search(pattern) {
		var expression, marked = [], sum = 0, end = -1;
		try {
			expression = pattern ? new RegExp(pattern) : null;
		} catch (e) {
			found.textContent = "not a regular expression: " + pattern;
			return 0;
		}
		frames.forEach(function (f) {
			var matches = Boolean(expression && f !== frames[0] && expression.test(f.name));
			f.g.classList.toggle("found", matches);
			if (matches)
				marked.push(f);
		});
		marked.sort(function (a, b) { return a.x - b.x || b.w - a.w; });
		marked.forEach(function (f) {
			if (f.x + 0.001 < end)
				return;
			sum += f.w;
			end = f.x + f.w;
		});
		found.textContent = expression ? "found: " + (100 * sum / WIDTH).toFixed(1) + " %" : "";
		clear.style.visibility = expression ? "visible" : "hidden";
		return marked.length;
	}

	function ask() {
		var pattern = prompt("Names to search (a regular expression):", "");
		if (pattern !== null)
			search(pattern);
	}

	Array.prototype.forEach.call(root.querySelectorAll("g.f"), function (g) {
		frames.push(new Frame(g));
	});
	root.querySelector(".search").addEventListener("click", ask);
	clear.addEventListener("click", search.bind(null, ""));
	reset.addEventListener("click", function () { zoom(frames[0]); });
	document.addEventListener("keydown", function (e) {
		/* In a page the browser's search finds the text around the picture. */
		if ((e.ctrlKey || e.metaKey) && e.key === "f" && root === document.documentElement) {
			e.preventDefault();
			ask();
		} else if (e.key === "Escape") {
			zoom(frames[0]);
			search("");
		}
	});
	return { frames: frames, zoom: zoom, search: search };
});
