/**
 * Puts a review into words, tables and charts, and writes its files. What the numbers are is decided
 * before; how a word or a table is HTML or Markdown is left to the document's writers.
 */
package io.phasewise.report.page;
