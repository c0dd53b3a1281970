/**
 * What the launcher shows while it works: rows that change in place on a terminal, plain lines
 * elsewhere. Knows nothing of what is being shown.
 */
package io.phasewise.common.progress;
