#[cfg(test)]
mod tests {
    macro_rules! gen { ($($n:ident => $v:expr),*) => { $(#[test] fn $n() { assert!($v < 5, "{} is not below 5", $v); })* } }
    gen!(t0 => 0, t1 => 1, t2 => 2, t3 => 3, t4 => 4, t5 => 5, t6 => 6, t7 => 7, t8 => 8, t9 => 9,
         t10 => 10, t11 => 11, t12 => 12, t13 => 13, t14 => 14, t15 => 15, t16 => 16, t17 => 17, t18 => 18);
}
