/**
 * The cost of recording one probe, as a JMH benchmark; whole canaries are measured in {@code run}.
 */
package io.phasewise.bench.record;
