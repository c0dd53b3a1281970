/**
 * Puts a review into words, tables and charts, and writes it as HTML, Markdown and JSON. What the
 * numbers are is decided before.
 */
package io.phasewise.report.page;
