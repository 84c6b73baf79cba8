#[test]
fn same_name() {
    let text: Result<i32, _> = "x".parse::<i32>();
    text.unwrap();
}
