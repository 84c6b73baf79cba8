//! Compiles, with warnings.

use std::collections::HashMap;

fn unused(n: i32) -> i32 {
    let x = 1;
    return n;
}

fn also_unused() {}

pub fn same(n: i32) -> i32 {
    if n > 1 {
        n
    } else {
        n
    }
}

pub fn lengths(words: &Vec<String>) -> bool {
    let unused_here = 3;
    words.len() == 0 && words.iter().map(|w| w.len()).next() == None
}

#[deny(unused_must_use)]
pub fn forgets() {
    "1".parse::<i32>();
}
