use super::*;
use clap::Parser;

#[derive(clap::Parser)]
struct Flags {
    #[command(flatten)]
    input: InputArgs,
}

fn flags(words: &str) -> InputArgs {
    Flags::parse_from(std::iter::once("x").chain(words.split_whitespace())).input
}

fn input(shape: &[usize], mean: Option<f32>) -> TensorInfo {
    TensorInfo {
        name: "x".into(),
        shape: shape.to_vec(),
        element: ElementType::F16,
        quantization: None,
        native_shape: shape.to_vec(),
        native_bytes: 0,
        normalization: mean.map(|mean| Normalization { mean: vec![mean], std: vec![2.0] }),
    }
}

/// A PNG of these pixels.
fn png(width: u32, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = pixels.len() as u32 / width;
    let picture = RgbImage::from_raw(width, height, pixels.concat()).unwrap();
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

fn loaded(bytes: &[u8], info: &TensorInfo, words: &str) -> Result<(Tensor, Layout), Failure> {
    load(Path::new("p.png"), bytes, info, &flags(words))
}

#[test]
fn colours_come_in_the_order_asked_for() {
    let picture = png(2, &[RED, BLUE]);
    let info = input(&[1, 3, 1, 2], None);
    let (tensor, layout) = loaded(&picture, &info, "").unwrap();
    assert_eq!((tensor.shape(), layout), (&[1, 1, 2, 3][..], Layout::Nhwc));
    assert_eq!(tensor.bytes(), [255, 0, 0, 0, 0, 255]);
    assert_eq!(loaded(&picture, &info, "--channels bgr").unwrap().0.bytes(), [0, 0, 255, 255, 0, 0]);
}

/// Pillow's `convert("L")` of pure red, green and blue.
#[test]
fn grey_is_that_of_pillow() {
    let picture = png(3, &[RED, [0, 255, 0], BLUE]);
    assert_eq!(loaded(&picture, &input(&[1, 1, 1, 3], None), "").unwrap().0.bytes(), [76, 150, 29]);
}

#[test]
fn networks_with_channels_last_are_recognised() {
    let (tensor, layout) = loaded(&png(2, &[RED, BLUE]), &input(&[1, 1, 2, 3], None), "").unwrap();
    // One channel of 2x3 is the other reading, and the one that is tried first.
    assert_eq!((tensor.shape(), layout), (&[1, 2, 3, 1][..], Layout::Nhwc));
    let (tensor, layout) = loaded(&png(2, &[RED; 4]), &input(&[1, 2, 2, 3], None), "").unwrap();
    assert_eq!((tensor.shape(), layout), (&[1, 2, 2, 3][..], Layout::Nchw));
}

#[test]
fn narrow_pictures_are_filled_up_with_the_mean() {
    let picture = png(1, &[RED, RED]);
    let (tensor, _) = loaded(&picture, &input(&[1, 3, 2, 3], Some(127.5)), "").unwrap();
    assert_eq!(tensor.bytes()[..9], [255, 0, 0, 128, 128, 128, 128, 128, 128]);
    let (tensor, _) = loaded(&picture, &input(&[1, 3, 2, 2], None), "--mean 100 --std 2").unwrap();
    assert_eq!(tensor.to_f32()[..6], [77.5, -50.0, -50.0, 0.0, 0.0, 0.0]);
}

#[test]
fn wide_pictures_are_squeezed() {
    let (tensor, _) = loaded(&png(8, &[BLUE; 8]), &input(&[1, 3, 1, 4], Some(9.0)), "").unwrap();
    assert_eq!(tensor.bytes(), [0, 0, 255].repeat(4));
}

/// Pillow: `Image.fromarray([[0, 100, 200, 50]]).resize((2, 1), BILINEAR)` is [71, 121].
#[test]
fn making_smaller_averages_as_pillow_does() {
    let grey = |v: u8| [v, v, v];
    let picture = png(4, &[grey(0), grey(100), grey(200), grey(50)]);
    let (tensor, _) = loaded(&picture, &input(&[1, 1, 1, 2], None), "--resize stretch").unwrap();
    assert_eq!(tensor.bytes(), [71, 121]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let picture = png(2, &[RED; 4]);
    let fails = |info: &TensorInfo, words: &str| loaded(&picture, info, words).unwrap_err().message;
    assert!(fails(&input(&[1, 3, 4, 4], None), "--resize none").contains("2x2 pixels, the input 4x4"));
    assert!(fails(&input(&[1, 10], None), "").contains("shape 1x10"));
    assert!(fails(&input(&[2, 3, 2, 2], None), "").contains("2x3x2x2"));
    assert!(fails(&input(&[1, 3, 2, 2], Some(1.0)), "--mean 1").contains("in the model"));
    assert!(fails(&input(&[1, 3, 2, 2], None), "--mean 1,2").contains("--mean has 2 numbers"));
    assert!(fails(&input(&[1, 3, 2, 2], None), "--std 0").contains("--std cannot be 0"));
    assert!(loaded(&picture[..40], &input(&[1, 3, 2, 2], None), "").is_err());
}
