/**
 * How many time series there are, what they grow with, and how many there may be. What they say is
 * left to dashboards and rules.
 */
package io.phasewise.lab.series;
