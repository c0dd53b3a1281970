/** The command line of the tools: {@code demote}, {@code telemetry}, {@code pause}, {@code resume}, {@code report}. */
package io.phasewise.tools.cli;
