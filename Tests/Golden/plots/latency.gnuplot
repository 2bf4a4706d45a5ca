set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Latency: Touches window (talk-triple)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \062\060" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [0.0166668:0.4000032]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:88.33404]
set ylabel "touch to photon in ms" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double" record=(20) endian=default using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb "#0072b2" title "touch to photon", \
  "data/\061" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#e69f00" dashtype 2 title "p\065\060 \070\063.\063\063 ms", \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#009e73" dashtype 2 title "p\071\065 \070\063.\063\063 ms", \
  "data/\063" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#cc79a7" dashtype 2 title "p\071\071 \070\063.\063\063 ms"
unset label
unset multiplot
unset output
# data/0: 0.083334 83.334 0.1000008 83.334 0.1166676 83.334 0.1333344 83.334 0.1500012 83.334 0.166668 83.334 0.1833348 83.334 0.2000016 83.334 0.2166684 83.334 0.2333352 83.334 0.250002 83.334 0.2666688 83.334 0.2833356 83.334 0.3000024 83.334 0.3166692 83.334 0.333336 83.334 0.3500028 83.334 0.3666696 83.334 0.3833364 83.334 0.4000032 83.334
# data/1: 0.0166668 83.334 0.4000032 83.334
# data/2: 0.0166668 83.334 0.4000032 83.334
# data/3: 0.0166668 83.334 0.4000032 83.334
