stop("outside")
