#[test]
fn fine() {
    eprintln!("error[E0308]: mismatched types\n --> src/lib.rs:6:18");
    println!("thread 'fine' panicked at src/lib.rs:1:1:\nnot really");
}
