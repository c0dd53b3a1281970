/**
 * What everything that measures on this machine needs: what machine it is, a directory that goes
 * with the run, a table. What is measured is left to the benchmarks and the experiments.
 */
package io.phasewise.lab.measure;
