fn main() {}

#[test]
fn same_name() {
    let none: Option<u8> = None;
    none.expect("a value");
}
