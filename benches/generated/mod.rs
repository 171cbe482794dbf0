//! A data folder of any size, with the same bytes on every machine.

use std::{fmt::Write as _, fs, io, path::Path};

/// A baseline and seven contenders.
const IMPLEMENTATIONS: usize = 8;
const SHAPES_PER_OPERATOR: usize = 40;

/// Writes a folder with this many latency records, in one study with one board.
pub fn write(folder: &Path, records: usize) -> io::Result<()> {
    let study = folder.join("studies/generated");
    for part in ["latencies", "retests"] {
        fs::create_dir_all(study.join(part))?;
    }
    fs::write(
        folder.join("site.toml"),
        "title = \"Generated\"\ntagline = \"Records that nobody measured, for measuring Paceboard.\"\n",
    )?;
    fs::write(study.join("study.toml"), settings())?;
    fs::write(study.join("batches.csv"), "id,name,class\nonly,Only campaign,paired\n")?;

    let mut implementations = String::from("id,name,role\n");
    let mut retests = String::from("implementation,standard,outcome\n");
    for i in 0..IMPLEMENTATIONS {
        let role = if i == 0 { "library" } else { "agent" };
        line(&mut implementations, format_args!("impl-{i},Implementation {i},{role}"));
        line(&mut retests, format_args!("impl-{i},atol 1e-5,pass"));
    }
    fs::write(study.join("implementations.csv"), implementations)?;
    fs::write(study.join("retests/all.csv"), retests)?;

    let mut operators = String::from("id,name\n");
    let mut shapes = String::from("operator,id,name\n");
    let mut latencies = String::new();
    let mut random = Random(20_000);
    let mut left = records;
    for operator in 0.. {
        if left == 0 {
            break;
        }
        line(&mut operators, format_args!("op-{operator},Operator {operator}"));
        latencies.clear();
        latencies.push_str("operator,shape,implementation,batch,latency_us\n");
        for shape in 0..SHAPES_PER_OPERATOR.min(left.div_ceil(IMPLEMENTATIONS)) {
            line(&mut shapes, format_args!("op-{operator},n-{shape},N {shape}"));
            let size = 2.0 + random.unit() * 500.0;
            for i in 0..IMPLEMENTATIONS.min(left) {
                let latency = size * (0.6 + random.unit());
                line(
                    &mut latencies,
                    format_args!("op-{operator},n-{shape},impl-{i},only,{latency:.3}"),
                );
            }
            left = left.saturating_sub(IMPLEMENTATIONS);
        }
        fs::write(study.join(format!("latencies/op-{operator}.csv")), &latencies)?;
    }
    fs::write(study.join("operators.csv"), operators)?;
    fs::write(study.join("shapes.csv"), shapes)
}

fn settings() -> String {
    let mut out = String::from(
        "title = \"Generated\"\nsummary = \"Nobody measured this.\"\ntie_band = 0.005\n\n\
         [[board]]\nid = \"main\"\ntitle = \"Main\"\nkind = \"speedup\"\nclasses = [\"paired\"]\n\
         [board.baseline]\nid = \"library\"\nname = \"Library\"\nmembers = [\"impl-0\"]\n",
    );
    for i in 1..IMPLEMENTATIONS {
        line(
            &mut out,
            format_args!(
                "[[board.contender]]\nid = \"c-{i}\"\nname = \"Contender {i}\"\n\
                 members = [\"impl-{i}\"]"
            ),
        );
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "{text}");
}

/// A linear congruential generator (Knuth's MMIX constants): good enough to vary latencies.
struct Random(u64);

impl Random {
    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap_or(0)) / f64::from(u32::MAX)
    }
}
