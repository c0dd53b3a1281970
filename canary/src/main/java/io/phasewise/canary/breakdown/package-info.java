/**
 * Puts what was seen of a probe, the brokers' clocks, the one-way delays and the consumer's polls
 * together into its phases. The arithmetic is {@code phase}'s and {@code clock}'s; who sends and
 * who counts is left to others.
 */
package io.phasewise.canary.breakdown;
