// SPDX-License-Identifier: BSL-1.0
//
//     ascent_rules FAMILY PROGRAM ANSWERS
//
// A worker (logic/worker.hpp): the recursive programs as rules of Ascent, sequential. Its own
// structures for transitive relations were slower (trrel), or are reflexive (trrel_uf).

use ascent::{ascent, Dual};
use std::io::{BufRead, Write};

/// A row of an answer or of a file of facts.
type Row = Vec<u32>;

/// CPU seconds of this process.
fn seconds() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    let mut now = Time { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(2, &mut now) };
    now.seconds as f64 + 1e-9 * now.nanoseconds as f64
}

fn read(program: &str, name: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(format!("{program}/facts/{name}.tsv")).unwrap();
    let number = |word: &str| word.parse().unwrap();
    text.lines().map(|line| line.split('\t').map(number).collect()).collect()
}
fn pairs(program: &str, name: &str) -> Vec<(u32, u32)> {
    read(program, name).iter().map(|row| (row[0], row[1])).collect()
}
fn triples(program: &str, name: &str) -> Vec<(u32, u32, u32)> {
    read(program, name).iter().map(|row| (row[0], row[1], row[2])).collect()
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    let half = of.len() / 2;
    if of.len() % 2 == 1 { of[half] } else { (of[half - 1] + of[half]) / 2.0 }
}

/// Serves a problem. `start` makes a program that holds the facts, outside of the clock; its facts
/// lie in vectors, so that listing them takes nothing.
fn serve<P>(
    answers: &str,
    start: impl Fn() -> P,
    run: impl Fn(&mut P),
    size: impl Fn(&P) -> usize,
    rows: impl Fn(&P) -> Vec<(&'static str, Vec<Row>)>,
) {
    let mut out = std::io::stdout();
    let mut last = start();
    writeln!(out, "ready").unwrap();
    out.flush().unwrap();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if let Some(times) = line.strip_prefix("run ") {
            let mut taken = Vec::new();
            for _ in 0..times.parse().unwrap() {
                last = start();
                let before = seconds();
                run(&mut last);
                taken.push(seconds() - before);
            }
            let taken = median(taken);
            writeln!(out, "{taken:.9} {taken:.9} {}", size(&last)).unwrap();
        } else {
            for (name, mut rows) in rows(&last) {
                rows.sort_unstable();
                let bytes: Vec<u8> = rows.concat().iter().flat_map(|x| x.to_le_bytes()).collect();
                std::fs::write(format!("{answers}/{name}"), bytes).unwrap();
            }
            writeln!(out, "written").unwrap();
        }
        out.flush().unwrap();
    }
}

fn of_pairs(rows: &[(u32, u32)]) -> Vec<Row> {
    rows.iter().map(|&(x, y)| vec![x, y]).collect()
}

ascent! {
    struct Closure;
    relation edge(u32, u32);
    relation tc(u32, u32);
    tc(x, y) <-- edge(x, y);
    tc(x, z) <-- tc(x, y), edge(y, z);
}

ascent! {
    struct Generation;
    relation par(u32, u32);
    relation sg(u32, u32);
    sg(x, y) <-- par(x, p), par(y, p), if x != y;
    sg(x, y) <-- sg(a, b), par(x, a), par(y, b);
}

ascent! {
    struct AllPaths;
    relation edge(u32, u32, u32);
    lattice d(u32, u32, Dual<u32>);
    d(x, y, Dual(*w)) <-- edge(x, y, w);
    d(x, z, Dual(l.0 + w)) <-- d(x, y, l), edge(y, z, w);
}

ascent! {
    struct PathsFromOne;
    relation source(u32);
    relation edge(u32, u32, u32);
    lattice d(u32, Dual<u32>);
    d(x, Dual(0)) <-- source(x);
    d(y, Dual(l.0 + w)) <-- d(x, l), edge(x, y, w);
}

ascent! {
    struct PointsTo;
    relation primitive(u32, u32);
    relation alloc(u32, u32);
    relation load(u32, u32, u32);
    relation store(u32, u32, u32);
    relation assign(u32, u32);
    relation alias(u32, u32);
    relation points(u32, u32);
    assign(a, b) <-- primitive(a, b);
    alias(x, y) <-- points(x, o), points(y, o);
    points(x, o) <-- alloc(x, o);
    points(x, o) <-- assign(y, x), points(y, o);
    assign(a, b) <-- alias(q, p), store(a, q, f), load(p, b, f);
}

fn closure(facts: &str, answers: &str) {
    let edge = pairs(facts, "edge");
    serve(
        answers,
        || Closure { edge: edge.clone(), ..Default::default() },
        |p| p.run(),
        |p| p.tc.len(),
        |p| vec![("tc", of_pairs(&p.tc))],
    )
}

fn generation(facts: &str, answers: &str) {
    let par = pairs(facts, "par");
    serve(
        answers,
        || Generation { par: par.clone(), ..Default::default() },
        |p| p.run(),
        |p| p.sg.len(),
        |p| vec![("sg", of_pairs(&p.sg))],
    )
}

fn all_paths(facts: &str, answers: &str) {
    let edge = triples(facts, "edge");
    serve(
        answers,
        || AllPaths { edge: edge.clone(), ..Default::default() },
        |p| p.run(),
        |p| p.d.len(),
        |p| vec![("d", p.d.iter().map(|&(x, y, Dual(l))| vec![x, y, l]).collect())],
    )
}

fn paths_from_one(facts: &str, answers: &str) {
    let edge = triples(facts, "edge");
    let source: Vec<(u32,)> = read(facts, "source").iter().map(|row| (row[0],)).collect();
    serve(
        answers,
        || PathsFromOne { edge: edge.clone(), source: source.clone(), ..Default::default() },
        |p| p.run(),
        |p| p.d.len(),
        |p| vec![("d", p.d.iter().map(|&(x, Dual(l))| vec![x, l]).collect())],
    )
}

fn points_to(facts: &str, answers: &str) {
    let primitive = pairs(facts, "PrimitiveAssign");
    let alloc = pairs(facts, "AssignAlloc");
    let load = triples(facts, "Load");
    let store = triples(facts, "Store");
    serve(
        answers,
        || PointsTo {
            primitive: primitive.clone(),
            alloc: alloc.clone(),
            load: load.clone(),
            store: store.clone(),
            ..Default::default()
        },
        |p| p.run(),
        |p| p.assign.len() + p.alias.len() + p.points.len(),
        |p| {
            vec![
                ("Assign", of_pairs(&p.assign)),
                ("Alias", of_pairs(&p.alias)),
                ("VarPointsTo", of_pairs(&p.points)),
            ]
        },
    )
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, family, facts, answers] = &words[..] else { std::process::exit(2) };
    match family.as_str() {
        "tc" => closure(facts, answers),
        "sg" => generation(facts, answers),
        "apsp" => all_paths(facts, answers),
        "sssp" => paths_from_one(facts, answers),
        "points_to" => points_to(facts, answers),
        _ => std::process::exit(2),
    }
}
