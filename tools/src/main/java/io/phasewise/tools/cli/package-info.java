/** The commands. */
package io.phasewise.ops.cli;
