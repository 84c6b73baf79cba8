package main

import (
	"fmt"
	"os"
)

func unused() {}

func main() {
	os.Open("nothing")
	fmt.Printf("%d\n", "text")
	x := 1
	x = 2
	fmt.Println(x)
}
