/**
 * Faults with a known size, put between processes or under them while they run: delayed and silent
 * links, false clocks. What they are put to is left to {@code kafka} and to whoever breaks things.
 */
package io.phasewise.lab.fault;
