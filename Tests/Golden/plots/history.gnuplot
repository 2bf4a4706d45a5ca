set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "History of p\071\065 of frame times" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \061\062 jobs, \061\062 runs\073 level changes at job \067\073 E-divisive, \061 \045 false positives per series" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [0.5:12.5]
set xlabel "job, in order" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [14.16678:35.833619999999996]
set ylabel "p\071\065 of frame times in ms" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "job \067" at 6.6,34.833611999999995 left noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(2) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 2.0 linecolor rgb "#e69f00" title "level", \
  "data/\061" binary format="%double%double" record=(12) endian=default using 1:2 with points pointtype 7 pointsize 0.9 linecolor rgb "#0072b2" title "run", \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#d55e00" dashtype 2 title "level changes"
unset label
unset multiplot
unset output
# data/0: 0.6 16.6668 6.4 16.6668 6.6 33.3336 12.4 33.3336
# data/1: 1.0 16.6668 2.0 16.6668 3.0 16.6668 4.0 16.6668 5.0 16.6668 6.0 16.6668 7.0 33.3336 8.0 33.3336 9.0 33.3336 10.0 33.3336 11.0 33.3336 12.0 33.3336
# data/2: 6.5 14.16678 6.5 35.833619999999996
