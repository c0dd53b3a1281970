/** The command line of {@code ./phasewise report}. */
package io.phasewise.report.cli;
