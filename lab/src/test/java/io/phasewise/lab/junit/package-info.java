/**
 * What tests of several modules share: a cluster for many classes, the pages made from the product,
 * the budget of series, a fuzzer. A jar of its own, in no program.
 */
package io.phasewise.lab.junit;
