pub mod shapes;

pub fn size() -> usize {
    "three"
}

pub fn lost() {
    missing(1);
    let v: Vec<i32> = vec![1];
    let w = v;
    println!("{:?}", v);
}

pub struct Unused;

impl Unknown for Unused {}
