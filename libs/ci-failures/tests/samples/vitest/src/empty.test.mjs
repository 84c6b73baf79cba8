// no test at all
