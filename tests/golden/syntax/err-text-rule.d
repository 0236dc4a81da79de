translator string < "x" s > { a = 1; };
translator string < "y" > = 1;
translator string < "z" s > = ;
