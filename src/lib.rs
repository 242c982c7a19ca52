//! Pentarch plays five-in-a-row games with a bite: Pente and its variants, Ninuki and Gomoku.
