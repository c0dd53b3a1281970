/**
 * What a demotion would gain and what it has gained: arithmetic, without a clock or a network. The
 * formulas, with what they leave out, are in docs/how-to/demote.md.
 */
package io.phasewise.ops.prediction;
