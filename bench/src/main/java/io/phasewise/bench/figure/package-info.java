/** The figures of the documentation, drawn from the classes that they explain. */
package io.phasewise.bench.figure;
