/**
 * A report before it is HTML or Markdown: a small tree of typed blocks, and one writer for each of
 * the two. Only the writers know what must be escaped, and each of them escapes in one method. What
 * a report says is left to others.
 */
package io.phasewise.report.document;
