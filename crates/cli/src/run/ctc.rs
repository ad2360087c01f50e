//! Reading a text out of the scores of a recogniser.

use ferrite_rknn_runtime::Tensor;

/// The characters of a recogniser's classes: class 0 is the blank, class I is character I - 1.
#[derive(Debug)]
pub(crate) struct Charset {
    characters: Vec<String>,
}

impl Charset {
    pub(crate) fn new(characters: Vec<String>) -> Self {
        Self { characters }
    }

    pub(crate) fn len(&self) -> usize {
        self.characters.len()
    }

    /// Whether the last dimension of a shape has a class for each character, and perhaps one more, the space.
    pub(crate) fn fits(&self, shape: &[usize]) -> bool {
        let classes = shape.last().copied().unwrap_or(0);
        classes == self.len() + 1 || classes == self.len() + 2
    }

    /// Greedy decoding: the best class of each step (the first of equals), repeats merged, blanks dropped.
    pub(crate) fn decode(&self, scores: &Tensor) -> String {
        let classes = scores.shape().last().copied().unwrap_or(0).max(1);
        let mut text = String::new();
        let mut last = 0;
        for step in scores.to_f32().chunks_exact(classes) {
            let best = (0..classes).reduce(|best, next| if step[next] > step[best] { next } else { best }).unwrap_or(0);
            if best != 0 && best != last {
                text += self.characters.get(best - 1).map_or(" ", String::as_str);
            }
            last = best;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(classes: usize, best: &[usize]) -> String {
        let charset = Charset::new(["a", "b"].map(String::from).to_vec());
        let mut scores = vec![0.0; classes * best.len()];
        best.iter().enumerate().for_each(|(step, &class)| scores[step * classes + class] = 1.0);
        charset.decode(&Tensor::from_f32(vec![1, best.len(), classes], &scores).unwrap())
    }

    #[test]
    fn repeats_merge_unless_a_blank_stands_between() {
        assert_eq!(decode(3, &[0, 1, 1, 0, 1, 2, 2, 0]), "aab");
        assert_eq!(decode(3, &[]), "");
    }

    #[test]
    fn the_class_after_the_characters_is_the_space() {
        assert_eq!(decode(4, &[1, 3, 3, 2]), "a b");
    }

    #[test]
    fn shapes_fit_with_and_without_space() {
        let charset = Charset::new(["a", "b"].map(String::from).to_vec());
        let fits: Vec<bool> = (2..6).map(|classes| charset.fits(&[1, 9, classes])).collect();
        assert_eq!(fits, [false, true, true, false]);
    }
}
