#[test]
fn never() {
    let text: i32 = "error: text\n  --> src/none.rs:1:1";
}
