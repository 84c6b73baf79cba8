package leak
