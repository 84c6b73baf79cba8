package shop

import "fmt"

type Cart struct{ Items_count int }

func Total(a int, b int) int {
	if a > 1 {
		return 1
	} else {
		return 2
	}
}

func (c Cart) Print(unused string) {
	fmt.Println("x")
}
