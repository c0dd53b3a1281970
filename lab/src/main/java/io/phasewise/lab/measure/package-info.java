/**
 * What benchmarks, experiments and tests need to measure on this machine: what machine it is, a
 * directory that is deleted with the run, a table, the canary as a process, and what a run showed
 * as a file.
 */
package io.phasewise.lab.measure;
