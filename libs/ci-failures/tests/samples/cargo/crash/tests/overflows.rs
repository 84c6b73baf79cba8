#[allow(unconditional_recursion)]
fn down(n: u64) -> u64 {
    std::hint::black_box(down(std::hint::black_box(n + 1))) + 1
}

#[test]
fn overflows() {
    down(0);
}
