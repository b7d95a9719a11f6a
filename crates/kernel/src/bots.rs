//! Scripted players of whole batches: one memory per row, and one decision per row and call.

/// A scripted player, which goes by an observation row, its mask and its own memory.
pub trait Bot: Send + Sync {
    /// What a player remembers of its episode.
    type Memory: Clone + Send + Sync;

    /// Words a memory is stored in.
    const MEMORY_WORDS: usize;

    /// Options that a decision has.
    fn heads(&self) -> usize;

    /// Whether it can read observation rows and masks of these widths.
    fn can_read(&self, obs_width: usize, options: usize) -> bool;

    /// The memory at the start of the episode with this seed.
    fn recall_nothing(&self, episode_seed: u64) -> Self::Memory;

    /// Chooses one option per head from the rows of one seat.
    fn act(&self, memory: &mut Self::Memory, obs: &[f32], mask: &[u8], decision: &mut [i32]);

    /// Writes a memory as `MEMORY_WORDS` words.
    fn write_memory(memory: &Self::Memory, words: &mut [u64]);

    /// The memory that such words stand for.
    fn read_memory(words: &[u64]) -> Self::Memory;
}

/// The players of all rows of a batch, as the bindings see them.
pub trait AnyBots: Send + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Options that a decision has.
    fn heads(&self) -> usize;

    /// Words a row's memory is stored in.
    fn memory_words(&self) -> usize;

    /// Opens the episode of a row.
    fn reset(&mut self, row: usize, episode_seed: u64);

    /// Chooses for every row; observations, masks and decisions are tables with as many rows.
    ///
    /// # Errors
    /// A table has another shape.
    fn act(&mut self, obs: &[f32], masks: &[u8], decisions: &mut [i32]) -> Result<(), String>;

    /// Writes the memories of all rows.
    fn write_memories(&self, words: &mut [u64]);

    /// Takes over the memories of all rows.
    ///
    /// # Errors
    /// There are more or fewer words.
    fn read_memories(&mut self, words: &[u64]) -> Result<(), String>;
}

/// Players of one kind.
pub struct Bots<B: Bot> {
    bot: B,
    memories: Vec<B::Memory>,
}

impl<B: Bot> Bots<B> {
    /// Players for so many rows, which begin as in the episode with seed 0.
    pub fn new(bot: B, rows: usize) -> Self {
        let memories = vec![bot.recall_nothing(0); rows];
        Self { bot, memories }
    }
}

impl<B: Bot> AnyBots for Bots<B> {
    fn rows(&self) -> usize {
        self.memories.len()
    }

    fn heads(&self) -> usize {
        self.bot.heads()
    }

    fn memory_words(&self) -> usize {
        B::MEMORY_WORDS
    }

    fn reset(&mut self, row: usize, episode_seed: u64) {
        self.memories[row] = self.bot.recall_nothing(episode_seed);
    }

    fn act(&mut self, obs: &[f32], masks: &[u8], decisions: &mut [i32]) -> Result<(), String> {
        let rows = self.memories.len();
        if rows == 0 {
            return Ok(());
        }
        let (obs_width, options) = (obs.len() / rows, masks.len() / rows);
        if !self.bot.can_read(obs_width, options) {
            return Err(format!("rows of {obs_width} numbers and {options} options are not those of this world"));
        }
        if decisions.len() != rows * self.bot.heads() {
            return Err(format!("{} choices for {rows} rows with {} heads", decisions.len(), self.bot.heads()));
        }
        let seen = obs.chunks_exact(obs_width).zip(masks.chunks_exact(options));
        let decisions = decisions.chunks_exact_mut(self.bot.heads());
        for ((memory, (obs, mask)), decision) in self.memories.iter_mut().zip(seen).zip(decisions) {
            self.bot.act(memory, obs, mask, decision);
        }
        Ok(())
    }

    fn write_memories(&self, words: &mut [u64]) {
        for (memory, words) in self.memories.iter().zip(words.chunks_exact_mut(B::MEMORY_WORDS)) {
            B::write_memory(memory, words);
        }
    }

    fn read_memories(&mut self, words: &[u64]) -> Result<(), String> {
        let expected = self.memories.len() * B::MEMORY_WORDS;
        if words.len() != expected {
            return Err(format!("{} words of memory; {expected} are needed", words.len()));
        }
        for (memory, words) in self.memories.iter_mut().zip(words.chunks_exact(B::MEMORY_WORDS)) {
            *memory = B::read_memory(words);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AnyBots, Bot, Bots};

    /// Counts its decisions from the episode's seed on.
    struct Counter;

    impl Bot for Counter {
        type Memory = u64;

        const MEMORY_WORDS: usize = 1;

        fn heads(&self) -> usize {
            1
        }

        fn can_read(&self, obs_width: usize, options: usize) -> bool {
            (obs_width, options) == (1, 2)
        }

        fn recall_nothing(&self, episode_seed: u64) -> u64 {
            episode_seed
        }

        fn act(&self, memory: &mut u64, obs: &[f32], _mask: &[u8], decision: &mut [i32]) {
            *memory += 1;
            decision[0] = *memory as i32 + obs[0] as i32;
        }

        fn write_memory(memory: &u64, words: &mut [u64]) {
            words[0] = *memory;
        }

        fn read_memory(words: &[u64]) -> u64 {
            words[0]
        }
    }

    #[test]
    fn every_row_has_a_memory_of_its_own_that_can_be_taken_over() {
        let mut bots = Bots::new(Counter, 2);
        bots.reset(1, 10);
        let mut decisions = [0; 2];
        bots.act(&[0.0, 100.0], &[1; 4], &mut decisions).unwrap();
        assert_eq!(decisions, [1, 111]);
        let mut words = [0; 2];
        bots.write_memories(&mut words);
        let mut others = Bots::new(Counter, 2);
        others.read_memories(&words).unwrap();
        others.act(&[0.0, 100.0], &[1; 4], &mut decisions).unwrap();
        assert_eq!(decisions, [2, 112]);
    }

    #[test]
    fn tables_of_another_shape_are_refused() {
        let mut bots = Bots::new(Counter, 2);
        assert!(bots.act(&[0.0; 4], &[1; 4], &mut [0; 2]).is_err());
        assert!(bots.act(&[0.0; 2], &[1; 4], &mut [0; 4]).is_err());
        assert!(bots.read_memories(&[0; 3]).is_err());
    }
}
