/** The command line of the benchmarks. */
package io.phasewise.bench.cli;
