/**
 * Statistics of latencies that come as one histogram for each of many equal stretches of time. Pure
 * functions; where the histograms come from and what is said about the results is left to others.
 * Every formula is explained in docs/explanation/statistics.md.
 */
package io.phasewise.report.stats;
