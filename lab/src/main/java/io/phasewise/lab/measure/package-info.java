/**
 * What everything that measures on this machine needs: what machine it is, a directory that goes
 * with the run, a table, the canary as a process, what a run showed as a file. What is measured is left to the benchmarks, the
 * experiments and the tests.
 */
package io.phasewise.lab.measure;
