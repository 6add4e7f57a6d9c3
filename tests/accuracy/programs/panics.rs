// SPDX-License-Identifier: GPL-2.0-only
//! A Rust program for tests/accuracy: what sleeps and computes while panics unwind through
//! it, in destructors, closures, and threads.

use std::collections::HashMap;
use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn nap() {
    thread::sleep(Duration::from_micros(200));
}

/// Left while a panic passes.
struct Guard(String);

impl Drop for Guard {
    fn drop(&mut self) {
        nap();
        self.0.clear();
    }
}

#[inline(never)]
fn dive(depth: u32) -> u32 {
    let guard = Guard(format!("guard at depth {}", depth));
    if depth == 0 {
        panic!("the bottom");
    }
    dive(depth - 1) + guard.0.len() as u32
}

trait Shape {
    fn area(&self, n: f64) -> f64;
}

struct Circle;

impl Shape for Circle {
    fn area(&self, n: f64) -> f64 {
        nap();
        3.14 * n * n
    }
}

fn compute(words: &mut HashMap<String, u32>) {
    for i in 0..2000 {
        *words.entry(format!("word {}", i * 7919 % 500)).or_insert(0) += 1;
    }
}

fn work() {
    let mut words = HashMap::new();
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle), Box::new(Circle)];
    loop {
        let _ = panic::catch_unwind(|| dive(5));
        let mut numbers = vec![3, 1, 2];
        numbers.sort_by(|a, b| {
            nap();
            a.cmp(b)
        });
        let _: f64 = shapes.iter().map(|s| s.area(2.0)).sum();
        compute(&mut words);
    }
}

fn main() {
    // Nobody wants to read of them.
    panic::set_hook(Box::new(|_| {}));
    let (say, hear) = mpsc::channel();
    thread::spawn(work);
    thread::spawn(move || loop {
        nap();
        say.send(1).unwrap();
    });
    thread::spawn(move || loop {
        hear.recv().unwrap();
    });
    work();
}
