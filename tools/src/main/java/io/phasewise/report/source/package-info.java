/**
 * Reads a Prometheus server, or one that speaks its HTTP API (Mimir, Thanos, VictoriaMetrics). What
 * is asked, and what is made of the answers, is left to others.
 */
package io.phasewise.report.source;
