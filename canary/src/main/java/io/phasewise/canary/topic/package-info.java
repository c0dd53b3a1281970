/**
 * Makes the probes' topic what it should be: an observer and an applier at the edge, a pure planner
 * between them.
 */
package io.phasewise.canary.topic;
