/**
 * Faults of a known size, for processes while they run: links with a delay or a limit, lost
 * packets, slow disks, false clocks.
 */
package io.phasewise.lab.fault;
