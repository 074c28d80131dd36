//! Writes one test for each scenario file, so that each is reported by its name.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let scenarios = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../scenarios").canonicalize()?;
    println!("cargo::rerun-if-changed={}", scenarios.display());
    println!("cargo::rerun-if-env-changed=STEADFETCH_FAULT_SERVER");
    let mut files: Vec<_> =
        fs::read_dir(&scenarios)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    let mut code = String::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
        if name == "index" {
            continue;
        }
        write!(
            code,
            "#[wasm_bindgen_test]\nasync fn {name}() {{\n    play(include_str!({:?})).await;\n}}\n\n",
            file.display().to_string()
        )?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("scenarios.rs"), code)?;
    Ok(())
}
