/* SPDX-License-Identifier: BSD-2-Clause */
/* Layouts of records, as tracefs describes them */
#include "provider/tracefs.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static void fields_of(const char *text, record_fields *ret)
{
	auto_fclose FILE *f = fmemopen((void *)text, strlen(text), "r");
	record_fields_read(f, ret);
}

TEST(fields_of_each_kind)
{
	record_fields fields = { 0 };
	fields_of("name: exec\nID: 365\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		  "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
		  "\tfield:__rel_loc u64[] list;\toffset:12;\tsize:4;\tsigned:0;\n"
		  "\tfield:char comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
		  "\tfield:const struct page * page;\toffset:32;\tsize:8;\tsigned:0;\n"
		  "\tfield:pid_t pid;\toffset:40;\tsize:4;\tsigned:1;\n\n"
		  "print fmt: \"field:x;\", REC->pid\n",
		  &fields);
	CHECK_INT(fields.count, 5);
	CHECK_INT(fields.items[0].kind, FIELD_DATA);
	CHECK_STR(fields.items[0].type, "char");
	CHECK_STR(fields.items[0].name, "filename");
	CHECK_INT(fields.items[1].kind, FIELD_RELATIVE);
	CHECK_STR(fields.items[1].type, "u64");
	CHECK_INT(fields.items[2].kind, FIELD_ARRAY);
	CHECK_STR(fields.items[2].type, "char");
	CHECK_STR(fields.items[2].name, "comm");
	CHECK_INT(fields.items[2].offset, 16);
	CHECK_INT(fields.items[3].kind, FIELD_VALUE);
	CHECK_STR(fields.items[3].type, "const struct page *");
	CHECK_STR(fields.items[4].name, "pid");
	CHECK_INT(fields.items[4].size, 4);
	CHECK(fields.items[4].is_signed);
	CHECK(!fields.items[3].is_signed);
	record_fields_free(&fields);
}

TEST(lines_that_are_not_understood_are_skipped)
{
	record_fields fields = { 0 };
	fields_of("\tfield:;\toffset:0;\tsize:2;\tsigned:0;\n"
		  "\tfield:int;\toffset:0;\tsize:2;\tsigned:0;\n"
		  "\tfield:int x\toffset:0\n"
		  "\tfield:int y;\toffset:-4;\tsize:4;\tsigned:1;\n"
		  "\tfield:[];\toffset:4;\tsize:4;\tsigned:1;\n"
		  "field:\nfield:__data_loc ;\n",
		  &fields);
	CHECK_INT(fields.count, 0);
	record_fields_free(&fields);
}

TEST_MAIN
