package till

import . "fmt"

var API_key = 1

func Open() { Println("x") }
