/**
 * What commands show while they work, rows that change in place on a terminal and plain lines
 * elsewhere, and how they end early. Knows nothing of what is being shown.
 */
package io.phasewise.common.progress;
