//! Finding all words of a list in one pass (Aho and Corasick): a tree of the words, where each node knows the longest end of
//! what led to it that begins a word too.
//!
//! A character of a text costs a bounded number of steps on average, however long the list is; each place costs one more for
//! each word that ends there, and those are at most as many as the longest word has characters.

use std::collections::VecDeque;

const ROOT: u32 = 0;

#[derive(Clone, Debug, Default)]
struct Node {
    /// By character, in its order.
    next: Vec<(char, u32)>,
    /// Where to go on when no child fits.
    fall: u32,
    /// The word that ends here.
    word: Option<u32>,
    /// The next node on the way down that ends a word; the root where there is none.
    shorter: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Automaton {
    nodes: Vec<Node>,
}

impl Automaton {
    /// Of distinct words, none of them empty.
    pub fn build<'a>(words: impl Iterator<Item = &'a [char]>) -> Self {
        let mut automaton = Self { nodes: vec![Node::default()] };
        for (number, word) in words.enumerate() {
            automaton.insert(word, u32::try_from(number).unwrap_or(u32::MAX));
        }
        automaton.link();
        automaton
    }

    fn insert(&mut self, word: &[char], number: u32) {
        let mut at = ROOT;
        for c in word {
            at = match self.find(at, *c) {
                Ok(next) => next,
                Err(place) => {
                    let new = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
                    self.nodes.push(Node::default());
                    self.nodes[at as usize].next.insert(place, (*c, new));
                    new
                }
            };
        }
        self.nodes[at as usize].word = Some(number);
    }

    /// The child for a character, or where it would be.
    fn find(&self, at: u32, c: char) -> Result<u32, usize> {
        let next = &self.nodes[at as usize].next;
        next.binary_search_by_key(&c, |(c, _)| *c).map(|place| next[place].1)
    }

    /// Node by node, the shallow ones first: what a node falls back to is less deep.
    fn link(&mut self) {
        let mut queue: VecDeque<u32> = self.nodes[ROOT as usize].next.iter().map(|(_, id)| *id).collect();
        while let Some(at) = queue.pop_front() {
            for (c, id) in self.nodes[at as usize].next.clone() {
                let fall = self.step(self.nodes[at as usize].fall, c);
                let fallen = &self.nodes[fall as usize];
                let shorter = if fallen.word.is_some() { fall } else { fallen.shorter };
                let node = &mut self.nodes[id as usize];
                (node.fall, node.shorter) = (fall, shorter);
                queue.push_back(id);
            }
        }
    }

    fn step(&self, mut at: u32, c: char) -> u32 {
        loop {
            match self.find(at, c) {
                Ok(next) => return next,
                Err(_) if at == ROOT => return ROOT,
                Err(_) => at = self.nodes[at as usize].fall,
            }
        }
    }

    /// Tells every word with the place of its last character, in the order of those places, the longest first.
    pub fn scan(&self, text: impl Iterator<Item = char>, mut found: impl FnMut(u32, usize)) {
        let mut at = ROOT;
        for (place, c) in text.enumerate() {
            at = self.step(at, c);
            let mut ending = at;
            while ending != ROOT {
                let node = &self.nodes[ending as usize];
                if let Some(word) = node.word {
                    found(word, place);
                }
                ending = node.shorter;
            }
        }
    }
}
