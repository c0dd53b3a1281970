/**
 * The canary's figures as Prometheus series, by the names that dashboards and alerts are written
 * for.
 */
package io.phasewise.canary.metrics;
