/** Directories as a whole, and locks. What is in them is left to others. */
package io.phasewise.lab.file;
