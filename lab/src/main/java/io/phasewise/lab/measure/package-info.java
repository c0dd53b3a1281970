/**
 * What everything that measures on this machine needs: what machine it is, a directory that goes
 * with the run, a table, whether the machine was fit. What is measured is left to the benchmarks,
 * the experiments and the tests.
 */
package io.phasewise.lab.measure;
