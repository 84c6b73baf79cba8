package shown

import "fmt"

func ExampleGreet() {
	fmt.Println("hello")
	fmt.Println("--- FAIL: not this one")
	// Output: goodbye
}

func Example() {
	fmt.Println("fine")
	// Output: fine
}
