/**
 * Whole canaries and their peers on a real cluster: started as processes, measured by what they
 * export and by what the system knows of them.
 */
package io.phasewise.bench.run;
