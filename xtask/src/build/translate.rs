//! The full module as JavaScript (binaryen's `wasm2js`): for places where WebAssembly cannot be had.

use std::fs;
use std::path::PathBuf;

use crate::build::wasm::{Compiled, Kept, kept};
use crate::error::{Context, Failure, Result};
use crate::workspace::Workspace;
use crate::{process, say};

/// What the compiler may have used. `wasm-opt` is told of each, and refuses the rest.
const USED: &[&str] = &[
    "--mvp-features",
    "--enable-mutable-globals",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-multivalue",
    "--enable-reference-types",
];
/// What JavaScript has nothing for is replaced by what it has.
const LOWER: &[&str] = &["--llvm-memory-copy-fill-lowering", "--signext-lowering"];
/// What is left after that.
const LEFT: &[&str] = &["--mvp-features", "--enable-mutable-globals"];

/// The conversions of Rust's `as` saturate. Binaryen's own lowering of them does not, which is right for C and wrong here:
/// each becomes a call of a function made of conversions that trap. The type, and the first number that is too large.
const SATURATING: &[(&str, &str)] = &[("i32", "4294967296"), ("i64", "18446744073709551616")];

/// Where the part begins that makes one instance when the file is loaded.
const ONE_INSTANCE: &str = "var retasmFunc";
/// In its place: a new instance, with a memory of its own, for each call.
const FACTORY: &str = "export default () => asmFunc({});\n";

/// Gives a script whose default export makes an instance: what `new WebAssembly.Instance(module).exports` is.
pub(super) fn translate(workspace: &Workspace, full: &Compiled) -> Result<PathBuf> {
    let Kept { file, is_current } = kept(workspace, full, "translated", "engine.js")?;
    if is_current {
        return Ok(file);
    }
    say::doing("translating", "the full module to JavaScript (wasm2js)");
    let text = process::output(workspace.npm_tool("wasm-dis").args(USED).arg(&full.path))?;
    let saturating = file.with_extension("wat");
    fs::write(&saturating, with_saturation(&text)).context(|| format!("writing {}", saturating.display()))?;
    let lowered = file.with_extension("wasm");
    let shrink = ["-Oz", "-Oz", "--strip-debug", "-o"];
    process::run(workspace.npm_tool("wasm-opt").args(USED).args(LOWER).args(shrink).arg(&lowered).arg(&saturating))?;
    let script = process::output(workspace.npm_tool("wasm2js").args(LEFT).arg("-Oz").arg(&lowered))?;
    fs::write(&file, as_factory(&script)?).context(|| format!("writing {}", file.display()))?;
    Ok(file)
}

/// The module's text with functions in place of the instructions that JavaScript lacks.
fn with_saturation(module: &str) -> String {
    let mut text = module.trim_end().trim_end_matches(')').to_owned();
    for (kind, above) in SATURATING {
        text = text.replace(&format!("({kind}.trunc_sat_f64_u"), &format!("(call $saturate_{kind}"));
        text.push_str(&format!(
            "(func $saturate_{kind} (param $x f64) (result {kind})
               (if (result {kind}) (f64.ge (local.get $x) (f64.const {above}))
                 (then ({kind}.const -1))
                 (else (if (result {kind}) (f64.gt (local.get $x) (f64.const 0))
                   (then ({kind}.trunc_f64_u (local.get $x)))
                   (else ({kind}.const 0))))))\n"
        ));
    }
    text.push_str(")\n");
    text
}

fn as_factory(script: &str) -> Result<String> {
    let Some((engine, _)) = script.split_once(ONE_INSTANCE) else {
        return Err(Failure::new(format!(
            "wasm2js writes no `{ONE_INSTANCE}` any more: see xtask/src/build/translate.rs"
        )));
    };
    Ok(format!("{engine}{FACTORY}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_that_saturates_becomes_a_call() {
        let module = "(module\n (func $f (result i64)\n  (i64.trunc_sat_f64_u\n   (f64.const 1)\n  )\n )\n)\n";
        let text = with_saturation(module);
        assert!(text.contains("(call $saturate_i64\n   (f64.const 1)\n  )"), "{text}");
        assert!(!text.contains("trunc_sat"), "{text}");
        let balance = |text: &str| text.matches('(').count() as i64 - text.matches(')').count() as i64;
        assert_eq!(balance(&text), 0, "{text}");
    }

    #[test]
    fn the_one_instance_of_the_file_becomes_a_factory() {
        let script = "function asmFunc(imports) {}\nvar retasmFunc = asmFunc({\n});\nexport var memory = 1;\n";
        assert_eq!(as_factory(script).unwrap(), "function asmFunc(imports) {}\nexport default () => asmFunc({});\n");
        assert!(as_factory("something else").is_err());
    }
}
