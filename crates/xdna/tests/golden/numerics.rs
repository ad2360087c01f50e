//! Block floats and rounding, measured on silicon or computed by upstream code.

use ferrite_numerics::rounding::{Rounding, round_to_i64};
use ferrite_numerics::{AieRounding, Bfp16Ebs8, bf16};
use serde_json::Value;

use crate::check::{Outcome, Tally, int, int8, json, list, name, same, word, words};

fn block(case: &Value) -> Result<Bfp16Ebs8, String> {
    let digits = case["encoded"].as_str().ok_or("no block")?;
    let byte = |index: usize| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).unwrap();
    Ok(Bfp16Ebs8::from_bytes(std::array::from_fn(byte)))
}

fn decoded(case: &Value) -> Outcome {
    let ours: Vec<u32> = block(case)?.decode().iter().map(|number| number.to_bits()).collect();
    same("decoded", &ours, &words(&case["decoded_f32"]))
}

fn encoded(case: &Value) -> Outcome {
    let input = words(&case["input_f32"]);
    let numbers = std::array::from_fn(|index| f32::from_bits(input[index]));
    same("encoded", &Bfp16Ebs8::encode(numbers), &block(case)?)
}

fn rounded(case: &Value, mode: AieRounding, index: usize) -> Outcome {
    let value = f32::from_bits(word(&case["input_f32"][index]));
    let golden = word(&case["output_bf16"][index]) as u16;
    same("bits", &mode.f32_to_bf16(value).to_bits(), &golden)
}

pub(crate) fn all(tally: &mut Tally) {
    let file = json("numerics.json");
    for case in list(&file["bfp16ebs8"]["cases"]) {
        tally.case(&format!("{} encode", name(case)), encoded(case));
        // Outside its range the upstream decoder is not defined; there the value is ours.
        if case["upstream_decode_valid"] == true {
            tally.case(&format!("{} decode", name(case)), decoded(case));
        } else {
            tally.regression(&format!("{} decode", name(case)), decoded(case));
        }
    }
    for case in list(&file["bfp16ebs8"]["decode_only"]) {
        tally.regression("decode only", decoded(case));
    }
    for case in list(&file["bf16_from_f32"]["cases"]) {
        let Some(mode) = AieRounding::of_number(int8(&case["rounding_code"])) else {
            tally.case(case["kernel"].as_str().unwrap(), Err("no such mode".to_owned()));
            continue;
        };
        tally.case(&mode.to_string(), same("name", &Some(mode.to_string().as_str()), &case["rounding_mode"].as_str()));
        for index in 0..list(&case["input_f32"]).len() {
            tally.case(&format!("{mode} {index}"), rounded(case, mode, index));
        }
    }
    for case in list(&file["other_silicon"]["cases"]) {
        match case["kernel"].as_str().unwrap() {
            "vec_convexp_bf16_denorm" => each(tally, case, |value| u64::from(value.to_f32().to_bits())),
            "vec_vfloor_bf16_denorm" => {
                each(tally, case, |value| (round_to_i64(value.to_f64(), Rounding::Floor) as u64) & 0xffff_ffff)
            }
            other => products(tally, other, case),
        }
    }
}

fn each(tally: &mut Tally, case: &Value, ours: impl Fn(bf16) -> u64) {
    let kernel = case["kernel"].as_str().unwrap();
    for (input, output) in list(&case["input"]).iter().zip(list(&case["output"])) {
        let value = bf16::from_bits(int(input) as u16);
        let outcome = same("value", &(ours(value) & 0xffff_ffff), &(int(output) & 0xffff_ffff));
        tally.case(&format!("{kernel} {input}"), outcome);
    }
}

/// 4x8 times 8x4 products: exact sums, rounded once. What the golden file's README says of this model: 857 of 864 agree.
fn products(tally: &mut Tally, kernel: &str, case: &Value) {
    let number = |list: &[Value], index: usize| bf16::from_bits(int(&list[index]) as u16).to_f64();
    let (a, b, output) = (list(&case["input_a"]), list(&case["input_b"]), list(&case["output"]));
    for (index, golden) in output.iter().enumerate() {
        let (batch, row, column) = (index / 16, index / 4 % 4, index % 4);
        let product = |k: usize| number(a, batch * 32 + row * 8 + k) * number(b, batch * 32 + k * 4 + column);
        let sum: f64 = (0..8).map(product).sum();
        let ours = sum as f32;
        let golden = f32::from_bits(int(golden) as u32);
        let equal = ours.to_bits() == golden.to_bits() || ours.is_nan() && golden.is_nan();
        let name = format!("{kernel} {index}");
        if equal {
            tally.case(&name, Ok(()));
        } else {
            tally.leave_out(
                &name,
                &format!(
                    "the sum of silicon is not the exact one ({golden:e}, exactly {ours:e}); how it adds is not published"
                ),
            );
        }
    }
}
